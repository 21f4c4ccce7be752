import { sha256 } from '../../compiler/trust/canonical.ts';
import type { ServedDocument } from '../operations/documents.ts';
import { endpointMap, toolCatalog } from '../operations/tables/tool-catalog.ts';
import { OPERATIONS } from './operations.ts';

interface Discovery {
  readonly tools: ServedDocument;
  readonly endpoints: ServedDocument;
}

const made = new Map<boolean, Discovery>();

/** Documents on the operations of a server; deterministic. */
export function discoveryDocuments(keepsCapsules: boolean): Discovery {
  const known = made.get(keepsCapsules);
  if (known) return known;
  const documents = {
    tools: documentOf(toolCatalog(OPERATIONS)),
    endpoints: documentOf(endpointMap(OPERATIONS, keepsCapsules)),
  };
  made.set(keepsCapsules, documents);
  return documents;
}

function documentOf(value: object): ServedDocument {
  const body = JSON.stringify(value);
  return { body, etag: `"${sha256(body)}"`, headers: {} };
}
