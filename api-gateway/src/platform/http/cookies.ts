import type { Context } from 'koa'

export interface CookieOptions {
  isSecure: boolean
  isHttpOnly: boolean
  /** Null: as long as the browser runs. */
  maxAgeSeconds: number | null
}

/** Two values under one name mean that somebody planted one: then there is none. */
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

/** Values are ours: base 64 for URLs, dots and digits. */
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

/** `__Host-` binds a cookie to this host and to TLS; without TLS a browser would drop it. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}
