import type { TabMessage } from './tab-messages.ts'

export function getChannelName(userId: string): string {
  return `cairn.live.${userId}`
}

/**
 * Tells the user's other tabs that the session may have ended. These tabs then check their session
 * at once.
 */
export function announceLogout(userId: string): void {
  const channel = new BroadcastChannel(getChannelName(userId))
  const message: TabMessage = { kind: 'ended' }
  channel.postMessage(message)
  channel.close()
}
