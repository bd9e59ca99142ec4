// @muster/contract: the public interface as data. The server, its clients and its documents share it.
export * from './companion/companion-router.ts';
export * from './router.ts';
export * from './schemas.ts';
