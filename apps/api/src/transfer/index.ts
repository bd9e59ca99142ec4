// Files of records and versions: exports as streams, imports as plans that are shown before they are applied.
export type { Export, ExportRequest, ExportService } from './export-service.ts';
export { createExportService } from './export-service.ts';
export { createExportStore } from './export-store.ts';
export type { ImportAnswer, ImportRequest, ImportService } from './import-service.ts';
export { createImportService } from './import-service.ts';
export { createImportStore } from './import-store.ts';
export { MAX_FILE_BYTES, readFile, tooLarge } from './read-file.ts';
export { kindOf, recordColumns } from './record-columns.ts';
