"""Reaches /mcp with the Python SDK of the Model Context Protocol, by its own discovery and OAuth.

Prints the address to which a person has to go, reads the one that they come back with, and prints what it was answered.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

from mcp import ClientSession
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

REDIRECT = "http://127.0.0.1:8765/callback"


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def show(url):
    print(url, flush=True)


async def wait():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlparse(line.strip()).query)
    return AuthorizationCodeResult(
        code=query["code"][0], state=query.get("state", [None])[0], iss=query.get("iss", [None])[0]
    )


async def main(url, query):
    metadata = OAuthClientMetadata(
        client_name="Python SDK", redirect_uris=[REDIRECT], token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(url, metadata, Storage(), show, wait)
    async with create_mcp_http_client(auth=auth) as http:
        async with streamable_http_client(url, http_client=http) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                tools = await session.list_tools()
                found = await session.call_tool("search", {"query": query})
                answer = {
                    "tools": [tool.name for tool in tools.tools],
                    "found": [part.text for part in found.content],
                }
                print(json.dumps(answer), flush=True)


asyncio.run(main(*sys.argv[1:]))
