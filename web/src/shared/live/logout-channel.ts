import type { TabMessage } from './tab-messages.ts'

export function getChannelName(userId: string): string {
  return `cairn.live.${userId}`
}

/** Makes the user's other tabs check at once whether the session has ended. */
export function announceLogout(userId: string): void {
  const channel = new BroadcastChannel(getChannelName(userId))
  const message: TabMessage = { kind: 'ended' }
  channel.postMessage(message)
  channel.close()
}
