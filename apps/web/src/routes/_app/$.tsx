// biome-ignore-all lint/style/useFilenamingConvention: the router calls the route of every other address so.
// Every address that no other route has.
import { createFileRoute } from '@tanstack/react-router';
import { PageNotFound } from '../../ui/page.tsx';

export const Route = createFileRoute('/_app/$')({ component: PageNotFound });
