import type { contract } from '../router.ts';

export type RouteName = keyof typeof contract;

/** `/a/:b/` is `/a/{b}/` in OpenAPI. */
export const toPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
