// biome-ignore-all lint/style/useFilenamingConvention: the router uses this name for the catch-all route.
// Every URL that no other route matches.
import { createFileRoute } from '@tanstack/react-router';
import { PageNotFound } from '../../ui/page.tsx';

export const Route = createFileRoute('/_app/$')({ component: PageNotFound });
