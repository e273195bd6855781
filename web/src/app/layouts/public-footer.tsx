import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { publicClaimQueries } from '../../features/claims/public-queries.ts'
import type { PublicSettings } from '../../features/settings/queries.ts'
import { useSite } from '../../shared/site/site.ts'
import { Wordmark } from '../../shared/ui/cairn-mark.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { getPageLabel } from '../../shared/url/page.ts'
import { sitePages } from '../public-pages.ts'

/** The pages of each column. A unit test compares them with `sitePages`. */
export const FOOTER_COLUMNS = {
  Product: ['/', '/investment', '/services'],
  Trust: ['/verify', '/status', '/faqs'],
  Company: ['/about_us', '/contact_us'],
  Legal: ['/risk'],
} as const

export function PublicFooter({ settings }: { settings: PublicSettings | undefined }) {
  const { name } = useSite()
  return (
    <footer className="border-line border-t bg-sunken text-14">
      <div className="mx-auto grid max-w-site gap-10 px-5 py-12 lg:grid-cols-[4fr_8fr] lg:gap-x-12">
        <div className="grid content-start gap-3">
          <Wordmark />
          <p className="max-w-sm text-muted">
            An investment platform in which every balance is the sum of postings in an append-only
            ledger.
          </p>
          {settings?.isTranslationOffered === true && (
            <TranslationLink siteUrl={settings.siteUrl} />
          )}
        </div>
        <div className="grid grid-cols-2 gap-8 md:grid-cols-4">
          <FooterGroup title="Product">
            <PageLinks paths={FOOTER_COLUMNS.Product} />
            <FooterLink to="/users/register">Open an account</FooterLink>
            <FooterLink to="/users/login">Login</FooterLink>
          </FooterGroup>
          <FooterGroup title="Trust">
            <PageLinks paths={FOOTER_COLUMNS.Trust} />
          </FooterGroup>
          <FooterGroup title="Company">
            <PageLinks paths={FOOTER_COLUMNS.Company} />
            <ContactLines contact={settings?.contact} />
          </FooterGroup>
          <FooterGroup title="Legal">
            <PageLinks paths={FOOTER_COLUMNS.Legal} />
            <FooterLink to="/risk#proof">What the ledger proves</FooterLink>
            <FooterLink to="/risk#fees">Fees and limits</FooterLink>
            <FooterLink to="/#not-claimed">What we don’t claim</FooterLink>
          </FooterGroup>
        </div>
      </div>
      {/* Content that arrives late is at the end of the footer, so that it does not move the rest
         of the footer. */}
      <div className="mx-auto grid max-w-site gap-2 px-5 pb-12 text-12 text-muted">
        <p>
          © {settings?.legalName || name} <ThisYear />
        </p>
        <Operator settings={settings} />
        <Licence />
      </div>
    </footer>
  )
}

function PageLinks({ paths }: { paths: readonly string[] }) {
  return sitePages
    .filter(({ path }) => paths.includes(path))
    .map((page) => (
      <FooterLink key={page.path} to={page.path}>
        {getPageLabel(page)}
      </FooterLink>
    ))
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="w-fit py-0.5 hover:underline">
      {children}
    </Link>
  )
}

function ContactLines({ contact }: { contact: PublicSettings['contact'] | undefined }) {
  const { phone, email, address } = contact ?? {}
  return (
    <>
      {phone && (
        <a href={`tel:${phone}`} className="w-fit py-0.5 hover:underline">
          {phone}
        </a>
      )}
      {email && (
        <a href={`mailto:${email}`} className="w-fit break-all py-0.5 hover:underline">
          {email}
        </a>
      )}
      {address && <span className="whitespace-pre-line text-muted">{address}</span>}
    </>
  )
}

/**
 * Shows the current year. A prerendered page shows no year, because it may come from an earlier
 * year.
 */
function ThisYear() {
  return useSyncExternalStore(
    () => () => {},
    () => new Date().getFullYear(),
    () => null,
  )
}

/** Names the operator and links to the legal texts. Says which of them the operator has not set. */
function Operator({ settings }: { settings: PublicSettings | undefined }) {
  if (settings === undefined) return <p className="h-6" />
  const { legalName, termsUrl, privacyUrl } = settings
  const texts = [
    ['Terms of use', termsUrl],
    ['Privacy notice', privacyUrl],
  ] as const
  return (
    <p className="wrap-anywhere flex flex-wrap gap-x-4 leading-6">
      <span>Operator: {legalName || 'not stated'}</span>
      {texts.map(([title, url]) =>
        url ? (
          <a key={title} href={url} rel="noreferrer" className="underline">
            {title}
          </a>
        ) : (
          <span key={title}>{title}: not published</span>
        ),
      )}
    </p>
  )
}

/** Shows only the licence text that the operator entered and two administrators approved. */
function Licence() {
  const claims = useQuery(publicClaimQueries.listClaims()).data
  const licence = claims?.find(({ key }) => key === 'licensed-exchange')
  if (licence === undefined) return null
  return (
    <p className="max-w-2xl">
      {licence.text}.
      {licence.evidence.map(({ label, value }) => (
        <span key={label} className="block">
          {label}: {value}
        </span>
      ))}
    </p>
  )
}

/** Opens the translation service in a new tab, so that no third-party code runs in this page. */
function TranslationLink({ siteUrl }: { siteUrl: string }) {
  const search = new URLSearchParams({ sl: 'en', tl: navigator.language, u: siteUrl })
  return (
    <a
      href={`https://translate.google.com/translate?${search}`}
      target="_blank"
      rel="noreferrer noopener"
      className="w-fit py-0.5 underline"
    >
      Translate this site (by Google, in a new tab)
    </a>
  )
}

function FooterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </div>
  )
}
