"""A client of Vademecum, with nothing but Python: VADE_KEY=vk_… python3 client.py http://127.0.0.1:8765 assistant "I am done" """

import base64
import hashlib
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

URL, AGENT, INTENT = sys.argv[1:]
HEADERS = {"authorization": f"Bearer {os.environ['VADE_KEY']}", "content-type": "application/json"}


def call(path, body=None):
    """Gets, or posts a body; a refusal ends the program with its code."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, HEADERS)) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read().decode()}")


def is_attested(chunk):
    """Whether a chunk is the text that its garden's signed statement names; `vade verify` checks the signatures."""
    fact = json.loads(call("/v1/facts/" + urllib.parse.quote(chunk["fact_uri"], safe="")))
    legacy = "files/" + (fact.get("fallback") or {"path": ""})["path"]  # a legacy file is signed by its path
    signed = legacy if chunk["source"] == "fallback_path" else chunk["fact_uri"]
    is_part = chunk.get("is_part") and fact["content"].startswith(chunk["content"])  # of a long skill a part comes
    digest = hashlib.sha256((fact if is_part else chunk)["content"].encode()).hexdigest()
    payloads = [link["envelope"]["payload"] for link in fact["attestation_chain"]]
    subjects = [it for payload in payloads for it in json.loads(base64.b64decode(payload))["subject"]]
    return any(it["name"] == signed and it["digest"]["sha256"] == digest for it in subjects)


print(call(f"/v1/agents/{AGENT}/boot-stub"))  # the start of the agent's prompt
answer = json.loads(call(f"/v1/agents/{AGENT}/recall-instruction", {"intent": INTENT}))
for chunk in answer["chunks"]:
    if not is_attested(chunk):
        sys.exit(f"{chunk['name']} is not attested")
    print(chunk["content"])  # the instructions for the task
used = [chunk["name"] for chunk in answer["chunks"]]  # after the task: only those that the agent used
call("/v1/instruction/audit", {"audit_token": answer["audit_token"], "used_chunks": used, "missed_chunks": []})
