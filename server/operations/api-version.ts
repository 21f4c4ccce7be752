/** The version of the API in OpenAPI and in the catalogues; `serverInfo` of MCP has the program's. */
export const API_VERSION = '1.0.0';
