// What the service does while its database is away.
export { createDatabaseWatch, type DatabaseWatch, unguarded } from './database-watch.ts';
