/** The version of the stub's own schema, served as `X-Stub-Version`. */
export const STUB_VERSION = 1;
