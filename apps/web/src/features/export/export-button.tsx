// The menu is not part of the first load.
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ExportMenuProps } from './export-menu.tsx';

const ExportMenu = lazy(() => import('./export-menu.tsx').then((m) => ({ default: m.ExportMenu })));

export const ExportButton = (props: ExportMenuProps) => (
  <Suspense
    fallback={
      <Button variant="default" disabled>
        Export
      </Button>
    }
  >
    <ExportMenu {...props} />
  </Suspense>
);
