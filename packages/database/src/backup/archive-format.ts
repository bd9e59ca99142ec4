// What a backup holds, in this order:
//
//   manifest.json                      what it is, and of which schema
//   secrets/<name>                     the secrets that the service made in its data folder
//   data/<table>/<number>.copy.gz      whole rows of one table in PostgreSQL's text format for COPY, in gzip
//   summary.json                       how many rows each table has
//   SHA256SUMS                         the digest of every member before it, as `sha256sum -c` reads it
//
// It is an ordinary tar archive: `tar -xf` opens it, and every piece can be read alone.

export const FORMAT = 'muster-backup-1';

export const MANIFEST = 'manifest.json';
export const SUMMARY = 'summary.json';
export const SUMS = 'SHA256SUMS';
export const SECRETS = 'secrets/';

/** SHA-256 of the script, hexadecimal, as `_prisma_migrations` keeps it. */
export type AppliedMigration = { name: string; checksum: string };

/** `columns` in the order in which the rows give them. */
export type TableShape = { name: string; columns: string[] };

export type Manifest = {
  format: typeof FORMAT;
  /** RFC 3339: when the snapshot was taken. */
  taken_at: string;
  postgresql: string;
  migrations: AppliedMigration[];
  tables: TableShape[];
};

export type Summary = { rows: Record<string, number> };

/** Pieces of this many bytes, before they are compressed, and one row more. Bounds the memory of both directions. */
export const PIECE_BYTES = 8 * 1024 * 1024;
/** No piece is larger: a row of PostgreSQL in this schema has less than 10 MB. */
export const MAX_MEMBER_BYTES = 256 * 1024 * 1024;

export function nameOfPiece(table: string, number: number): string {
  return `data/${table}/${String(number).padStart(6, '0')}.copy.gz`;
}

/** The table of a piece; null for any other member. */
export function tableOfPiece(name: string): string | null {
  return /^data\/([^/]+)\/\d{6,}\.copy\.gz$/.exec(name)?.[1] ?? null;
}
