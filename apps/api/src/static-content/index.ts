// Bytes that never change while the service runs, for whoever serves pages and documents.
export { serveContent } from './serve-content.ts';
