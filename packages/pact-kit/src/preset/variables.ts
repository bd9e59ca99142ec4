// How the preset, vitest's main process and its workers tell each other where things are.

/** Folder of the pacts, absolute. */
export const FOLDER_VARIABLE = 'MUSTER_PACT_FOLDER';
/** File with a line per interaction that a test declared. */
export const DECLARED_VARIABLE = 'MUSTER_PACT_DECLARED';

export type Declared = { consumer: string; provider: string; description: string };
