/** What a program says of an archive: facts only, in the words of the documentation. */
export type ArchiveFacts = { rows: Record<string, number>; migrations?: number };

export const describeRows = ({ rows }: ArchiveFacts): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const { catalogue_version = 0, session = 0, session_seat = 0 } = rows;
  return `${total} rows: ${catalogue_version} versions, ${session} sessions with ${session_seat} seats`;
};

export const describeSize = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
