// @muster/contract: the public interface as data. The server, its clients and its documents share it.
export * from './bounded-list.ts';
export * from './catalogue/catalogue-records.ts';
export * from './errors/error-catalogue.ts';
export * from './errors/validation-problems.ts';
export * from './history/bracketed-lists.ts';
export * from './history/history.ts';
export * from './null-as-absent.ts';
export * from './permissions.ts';
export * from './platform.ts';
export * from './router.ts';
export * from './session/client-settings.ts';
export * from './session/instance.ts';
export * from './session/join-request.ts';
export * from './session/session.ts';
export * from './session/session-inputs.ts';
export * from './strings.ts';
