/** The version of the API, over HTTP and MCP; not of the program. */
export const API_VERSION = '1.0.0';
