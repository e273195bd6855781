import { useQuery } from '@tanstack/react-query'
import { Mail, MapPin, Phone } from 'lucide-react'
import { Banner } from '../../shared/ui/banner.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Questions } from '../faqs/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { ContactForm } from './contact-form.tsx'

export function ContactPage() {
  return (
    <>
      <Banner text="Send us a message." />
      <Section title="Contact form">
        <div className="grid gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
          <ContactForm />
          <div className="grid content-start gap-4">
            <h2 className="font-semibold text-20">Contact details</h2>
            {/* The height of the placeholder, so that the questions below do not move. */}
            <div className="min-h-24">
              <ContactDetails />
            </div>
          </div>
        </div>
      </Section>
      <Questions isOnContactPage />
    </>
  )
}

function ContactDetails() {
  const { data, isError, refetch, isFetching } = useQuery(settingsQueries.readPublic())
  if (data === undefined && isError) {
    return (
      <FailedState
        message="The contact details could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (data === undefined) return <Skeleton className="h-24 w-full max-w-2xl" />
  const ways = [
    { icon: Phone, name: 'Phone', text: data.contact.phone },
    { icon: Mail, name: 'Email', text: data.contact.email },
    { icon: MapPin, name: 'Address', text: data.contact.address },
  ].filter(({ text }) => text !== null && text !== '')
  if (ways.length === 0) {
    return <p className="text-16 text-muted">The operator has not supplied contact details.</p>
  }
  return (
    <dl className="grid gap-4">
      {ways.map(({ icon: Icon, name, text }) => (
        <div key={name} className="grid content-start gap-1 border-line border-t pt-4">
          <dt className="flex items-center gap-2 font-semibold text-14">
            <Icon aria-hidden="true" className="size-4 text-accent" />
            {name}
          </dt>
          <dd className="whitespace-pre-line break-words text-16 text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
