import { useQuery } from '@tanstack/react-query'

import { formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { useStoredUser } from '../../shared/session/stored-user.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import {
  describeWithdrawalLimits,
  type PublicSettings,
  settingsQueries,
} from '../settings/index.ts'
import { NOT_PROVED, PROVED, RISKS } from './risk-list.ts'
import { findRiskText } from './risk-text.ts'
import { chosenCountry, useVisitorCountry } from './visitor-country.ts'

/** Explains the risks before a visitor deposits money. */
export function RiskPage() {
  return (
    <>
      <Banner text="Read this before you deposit. Do not invest in something that you do not understand." />
      <Section split title="Risk warning" text={<Contents />}>
        {/* The minimum height keeps the content below from moving when the warning has loaded. */}
        <div className="min-h-88 sm:min-h-68">
          <Warning />
        </div>
      </Section>
      <Section id="risks" split title="1. Risks" sunken>
        <ol className="divide-y divide-line border-line border-y">
          {RISKS.map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 py-5">
              <span aria-hidden="true" className="tabular row-span-2 w-8 text-16 text-accent">
                1.{index + 1}
              </span>
              <h3 className="font-semibold text-16">{title}</h3>
              <p className="text-16 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="proof" split title="2. What the ledger proves">
        <div className="grid gap-8 sm:grid-cols-2">
          <SentenceList title="It proves" sentences={PROVED} />
          <SentenceList title="It does not prove" sentences={NOT_PROVED} />
        </div>
        <p className="text-16">
          <TextLink to="/verify">Verify a receipt</TextLink>
        </p>
      </Section>
      <Section id="fees" split title="3. Fees and limits" sunken>
        <FeeList />
      </Section>
    </>
  )
}

const CONTENTS = [
  { to: '#risks', title: '1. Risks' },
  { to: '#proof', title: '2. What the ledger proves' },
  { to: '#fees', title: '3. Fees and limits' },
] as const

/** Links to the numbered parts of the page. */
function Contents() {
  return (
    <span className="grid gap-1.5">
      {CONTENTS.map(({ to, title }) => (
        <a
          key={to}
          href={to}
          className="w-fit font-medium text-accent underline decoration-1 underline-offset-4 hover:decoration-2"
        >
          {title}
        </a>
      ))}
    </span>
  )
}

function useSettings() {
  return useQuery(settingsQueries.readPublic())
}

type LoadFailureProps = {
  what: string
  /** The sentence in place of the content in a browser without scripts. */
  withoutScripts: string
}

function LoadFailure({ what, withoutScripts }: LoadFailureProps) {
  const { isError, refetch, isFetching } = useSettings()
  if (!isError) {
    return (
      <>
        <noscript>
          <p className="text-16">{withoutScripts}</p>
        </noscript>
        <Skeleton className="h-32 w-full max-w-3xl" />
      </>
    )
  }
  return (
    <FailedState message={`${what} could not be loaded.`} onRetry={refetch} pending={isFetching} />
  )
}

function Warning() {
  const settings = useSettings().data
  const country = useVisitorCountry()
  const isKnown = useStoredUser()?.country != null
  const warning = findRiskText(settings, country)
  if (settings === undefined || warning === undefined) {
    return (
      <LoadFailure
        what="The warning"
        withoutScripts="The warning of your country needs JavaScript. You can lose all the money you invest."
      />
    )
  }
  const own = settings.riskTexts.filter((text) => text.country !== null)
  return (
    <div className="grid content-start gap-6">
      <p className="rounded-card bg-pending-soft p-5 text-16 text-pending sm:text-20">
        {warning.text}
      </p>
      {isKnown ? (
        <p className="text-14 text-muted">
          {warning.countryName === null
            ? 'This is the general warning. Your country has no warning of its own.'
            : `This is the warning for ${warning.countryName}, the country in your profile.`}
        </p>
      ) : (
        own.length > 0 && (
          <Field
            label="Country of residence"
            hint="Some countries have a warning of their own; your location is not detected."
            className="max-w-sm"
          >
            {(ids) => (
              <Select
                {...ids}
                value={warning.country ?? ''}
                onChange={(event) => chosenCountry.set(event.target.value)}
              >
                <option value="">Another country</option>
                {own.map((text) => (
                  <option key={text.country} value={text.country ?? ''}>
                    {text.countryName}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )
      )}
    </div>
  )
}

function SentenceList({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <div className="grid content-start gap-3 border-line border-t pt-5">
      <h3 className="font-semibold text-20">{title}</h3>
      <ul className="grid list-disc gap-3 pl-5 text-16 text-muted marker:text-accent">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

function FeeList() {
  const settings = useSettings().data
  if (settings === undefined) {
    return <LoadFailure what="The fees" withoutScripts="The fees and limits need JavaScript." />
  }
  const { depositFee, withdrawalFee, minDeposit, minWithdrawal } = settings
  const most = describeWithdrawalLimits(settings)
  return (
    <div className="grid max-w-3xl gap-4 text-16 text-muted">
      <p>
        {describeFees('deposit', depositFee)} {describeFees('withdrawal', withdrawalFee)} You see
        the fee and the net amount before you send a request. The minimum deposit is{' '}
        {formatMoneyBriefly(toMinor(minDeposit))}, the minimum withdrawal{' '}
        {formatMoneyBriefly(toMinor(minWithdrawal))}.
      </p>
      <p>
        There is no other fee. We never ask you for a tax, a deposit or a payment before a
        withdrawal. Anyone who asks for such a payment in our name is trying to steal from you.
      </p>
      {most !== null && <p>You can withdraw at most {most} (UTC).</p>}
      <p>{describeReferral(settings)}</p>
    </div>
  )
}

function describeFees(what: string, percent: number): string {
  return percent === 0 ? `A ${what} is free.` : `A ${what} costs ${percent}% of its amount.`
}

function describeReferral({ isReferralEnabled }: PublicSettings): string {
  return isReferralEnabled
    ? 'If you were referred, the operator may pay the referrer a bonus when you invest. The bonus is not taken from your money. A paid recommendation is not a reason to invest.'
    : 'No referral bonus is paid.'
}
