// What the service tells on every page.
import { MaintenanceBanner } from '../maintenance/maintenance-banner.tsx';
import { HealthBanner } from '../system/health-banner.tsx';

export const Banners = () => (
  <>
    <MaintenanceBanner />
    <HealthBanner />
  </>
);
