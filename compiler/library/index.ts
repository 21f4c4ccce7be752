/**
 * Vademecum as a library. Paths and options are those of the command line; every failure is a `VadeError` with a code
 * of its table.
 */
export { VadeError, type ErrorCode } from '../schema/errors.ts';
export type { ExplainedUnit, Recall, RecalledChunk, RecallOptions } from './answer.ts';
export { compile, type CompileOptions, type CompileResult, type Diagnostic } from './compile.ts';
export { createServer, type ServerOptions, type VadeServer } from './create-server.ts';
export { openBundle, type AttestedFact, type OpenedBundle } from './open-bundle.ts';
export type { BundleOptions, DeploymentOptions } from './options.ts';
export { recall } from './recall.ts';
export { verifyChunk, type ChunkVerdict, type ReceivedChunk, type VerifyOptions } from './verify-chunk.ts';
