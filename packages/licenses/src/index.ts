export { isAllowedLicense } from './allowed-licenses.ts';
export { writeBillOfMaterials } from './bill-of-materials.ts';
export { LICENSE_FILES, LicenseCollector } from './license-collector.ts';
export type { Component } from './notices.ts';
export { parseNotices } from './notices.ts';
