// The entry point of the web app: providers and the router.
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './ui/theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { routeTree } from './generated/route-tree.ts';
import { HintLayer } from './ui/hint.tsx';
import { PageError, PageNotFound, PagePending } from './ui/page.tsx';
import { readStyleNonce, resolveVariables, theme } from './ui/theme.ts';

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // TanStack Query decides what is fresh; the router only triggers the loaders.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: PagePending,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app.');
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    defaultColorScheme="auto"
    getStyleNonce={readStyleNonce}
  >
    <HintLayer />
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
