const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/

/** True for a host that only this machine reaches: 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
