import { Notifications } from '@mantine/notifications';
import { createRootRoute, Outlet } from '@tanstack/react-router';

export const Route = createRootRoute({
  component: () => (
    <>
      <Outlet />
      {/* Below the router, so that messages can hold links. */}
      <Notifications position="bottom-right" />
    </>
  ),
});
