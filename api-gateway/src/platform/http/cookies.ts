import type { Context } from 'koa'

export interface CookieOptions {
  isSecure: boolean
  isHttpOnly: boolean
  /** The lifetime of the cookie; null for a cookie that is deleted when the browser is closed. */
  maxAgeSeconds: number | null
}

/**
 * Returns the value of a cookie. Returns null if the name has several values, because another host
 * may have set one of these values.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    const separator = part.indexOf('=')
    if (separator > 0 && part.slice(0, separator).trim() === name) {
      values.add(part.slice(separator + 1).trim())
    }
  }
  const [value = null] = values
  return values.size === 1 ? value : null
}

/** Sets a cookie. The value is not escaped, so it must consist of base64url characters and dots. */
export function setCookie(ctx: Context, name: string, value: string, options: CookieOptions): void {
  const parts = [`${name}=${value}`, 'Path=/', 'SameSite=Lax']
  if (options.isHttpOnly) parts.push('HttpOnly')
  if (options.isSecure) parts.push('Secure')
  if (options.maxAgeSeconds !== null) parts.push(`Max-Age=${options.maxAgeSeconds}`)
  ctx.append('Set-Cookie', parts.join('; '))
}

export function clearCookie(ctx: Context, name: string, isSecure: boolean): void {
  setCookie(ctx, name, '', { isSecure, isHttpOnly: true, maxAgeSeconds: 0 })
}

/**
 * Adds the prefix `__Host-` to the name if the site uses TLS. The prefix binds the cookie to this
 * host. Browsers accept the prefix only over TLS.
 */
export function formatCookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}
