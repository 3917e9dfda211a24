"""Imports a file of flashcards into new collections, in several of Anki's languages, twice, and prints what is in them.

Called by anki.ts, with the file and the languages. Needs Anki's library: pip install anki
"""

import json
import os
import sys
import tempfile

import anki.lang
from anki.collection import Collection, ImportCsvRequest

path, *languages = sys.argv[1:]
results = []
for language in languages:
    anki.lang.set_lang(language)
    with tempfile.TemporaryDirectory() as folder:
        collection = Collection(os.path.join(folder, "collection.anki2"))
        imports = []
        for _ in range(2):
            metadata = collection.get_csv_metadata(path, None)
            request = ImportCsvRequest(path=path, metadata=metadata)
            log = collection.import_csv(request).log
            imports.append({"new": len(log.new), "known": len(log.duplicate)})
        notes = []
        for identifier in collection.find_notes(""):
            note = collection.get_note(identifier)
            [card] = note.cards()
            notes.append(
                {
                    "id": note.guid,
                    "type": note.note_type()["name"],
                    "fields": note.fields,
                    "deck": collection.decks.name(card.did),
                }
            )
        collection.close()
        results.append({"language": language, "imports": imports, "notes": notes})
print(json.dumps(results))
