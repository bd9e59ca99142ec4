// The search over records, sessions and players.
export { createSearchService, type SearchService } from './search-service.ts';
export { createSearchStore } from './search-store.ts';
