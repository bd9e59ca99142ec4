/** Ids of the demo data: on a service that was started with it, the examples can be tried as they are. */
export const PATH_EXAMPLES: Record<string, string> = {
  sandbox_id: '6b5ef782-5c91-4a87-81a8-ad9b22921497',
  platform: 'Steam',
  platform_session_id_base64: 'bXVzdGVyLWRlbW8td2VsY29tZQ',
  player_uuid: '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70',
};
