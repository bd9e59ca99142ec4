import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from './api/query-client.ts';
import { HintLayer } from './components/hint/hint-layer.tsx';
import { router } from './router/router.ts';
import { readStyleNonce } from './theme/style-nonce.ts';
import { resolveVariables, theme } from './theme/theme.ts';

export const App = () => (
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
  </MantineProvider>
);
