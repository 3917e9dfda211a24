# The product as `npm run serve` runs it, without tests and checks. compose.yaml starts it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# The page has them.
ARG APP_ORIGIN SPEECH_MODEL_URL
RUN npm ci --omit=dev && npm run build

FROM node:24-bookworm-slim
# What the site asks over TLS is verified with these.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY tsconfig.json tsconfig.base.json ./
COPY drizzle drizzle
COPY local local
COPY migrations migrations
COPY src src
COPY --from=build /app/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 DUALECT_DATA_DIR=/data
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
# Node itself, so that it gets the signals.
CMD ["node", "--max-semi-space-size=4", "--import", "tsx", "local/serve.ts"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/api/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
