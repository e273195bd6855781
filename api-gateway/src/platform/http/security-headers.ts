import type { Context, Next } from 'koa'

// Dialogs and toasts need inline styles. Inline scripts are not allowed.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

const YEAR_SECONDS = 31_536_000

/** The headers of every answer. `isSecure` says that browsers reach the site by HTTPS. */
export function listSecurityHeaders(options: { isSecure: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(options.isSecure && {
      'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  }
}

export function createSecurityHeaders(options: { isSecure: boolean }) {
  const headers = listSecurityHeaders(options)
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.set(headers)
    await next()
  }
}
