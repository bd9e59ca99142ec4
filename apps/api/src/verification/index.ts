// Finds what was changed behind the service's back: the hash chain, the counters, and what records repeat of it.
export { createVerificationService, type VerificationService } from './verification-service.ts';
export { createVerificationStore } from './verification-store.ts';
