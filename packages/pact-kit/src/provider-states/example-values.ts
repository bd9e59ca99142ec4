// The values that a state takes where neither the consumer nor the path of the request names one.
export const EXAMPLE_PLATFORM_SESSION_ID = 'bXVzdGVyLXNlc3Npb24';
export const EXAMPLE_PLAYER_UUID = '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';
export const EXAMPLE_SANDBOX_ID = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
export const EXAMPLE_ITEM_ID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
export const EXAMPLE_XP_ID = '2c4e6a8b-0d1f-4e3a-9b5c-7d8e9f0a1b2c';
