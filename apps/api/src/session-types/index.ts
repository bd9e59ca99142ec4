export { createSessionTypeService, type SessionTypeService } from './session-type-service.ts';
export { createSessionTypeStore } from './session-type-store.ts';
