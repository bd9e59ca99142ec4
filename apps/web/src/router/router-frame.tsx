import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Around every route. Messages in the corner are part of it, so that they can hold links. */
export const RouterFrame = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <Notifications position="bottom-right" />
  </>
);
