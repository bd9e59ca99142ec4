// Maintenance and alarms, shown on every page, and the notice about a wrong link.
import { MaintenanceBanner } from '../maintenance/maintenance-banner.tsx';
import { HealthBanner } from '../system/health-banner.tsx';
import { useKnownParameters } from './unknown-parameters.ts';

export const Banners = () => {
  useKnownParameters();
  return (
    <>
      <MaintenanceBanner />
      <HealthBanner />
    </>
  );
};
