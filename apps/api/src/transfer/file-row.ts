/** One row of an imported file, as it is written there; the schemas have not seen it. */
export type FileRow = {
  /** As a spreadsheet or an editor counts it, from 1; the header of a CSV file is row 1. */
  row: number;
  fields: Record<string, unknown>;
};

/** What is wrong with a file, and where. */
export type FileProblem = { row: number; column?: string; msg: string };

/** True for a problem, which stands in the place of its row. */
export const isProblem = (entry: FileRow | FileProblem): entry is FileProblem => 'msg' in entry;

export type FileRows = {
  /**
   * `whole`: a row is the whole record, and what it lacks is cleared. `columns`: a row speaks of the columns of the
   * header, and other fields stay as they are.
   */
  meaning: 'whole' | 'columns';
  entries: AsyncIterable<FileRow | FileProblem>;
};

/** Of one row: longer than any valid record, which has 64 entries of 4,096 characters, each up to 6 in JSON. */
export const MAX_ROW_LENGTH = 2 * 1_048_576;
