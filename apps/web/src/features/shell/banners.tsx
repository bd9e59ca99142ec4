// Maintenance and alarms, shown on every page.
import { MaintenanceBanner } from '../maintenance/maintenance-banner.tsx';
import { HealthBanner } from '../system/health-banner.tsx';

export const Banners = () => (
  <>
    <MaintenanceBanner />
    <HealthBanner />
  </>
);
