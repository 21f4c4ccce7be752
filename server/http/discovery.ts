import { servedDocument, type ServedDocument } from '../operations/documents.ts';
import { memoized } from '../operations/memoized.ts';
import { endpointMap, toolCatalog } from '../operations/tables/tool-catalog.ts';
import { OPERATIONS } from './operations.ts';

interface Discovery {
  readonly tools: ServedDocument;
  readonly endpoints: ServedDocument;
}

/** Documents on the operations of a server; deterministic. */
export const discoveryDocuments = memoized((keepsCapsules: boolean): Discovery => ({
  tools: servedDocument(JSON.stringify(toolCatalog(OPERATIONS))),
  endpoints: servedDocument(JSON.stringify(endpointMap(OPERATIONS, keepsCapsules))),
}));
