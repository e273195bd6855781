import { type getAdminSettings, type ResponseOf, SettingsForm } from '@cairn/gateway-contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { getErrorCode, getFieldErrors } from '../../shared/api/failure.ts'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { SaveBar } from '../../shared/ui/save-bar.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { keepVisitMessage } from '../../shared/ui/visit-messages.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { ChangeReason, toReason, WaitingChanges } from '../changes/index.ts'
import { type AdminSettings, adminSettingsQueries, useSaveSettings } from './admin-queries.ts'
import { GeneralTab } from './general-tab.tsx'
import { LastChange } from './last-change.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { PaymentTab } from './payment-tab.tsx'
import { SaveConfirmation } from './save-confirmation.tsx'
import { SecurityTab } from './security-tab.tsx'
import {
  collectErrors,
  findTab,
  type SettingsValues,
  TABS,
  toSettingsBody,
  toSettingsValues,
} from './settings-values.ts'

const BANNER_MS = 3_000
const ANSWERED_IN_A_DIALOG = ['VERSION_CONFLICT', 'LOCKOUT_RISK', 'MFA_NOT_ENROLLED']

type Loaded = ResponseOf<typeof getAdminSettings>

export function AdminSettingsPage() {
  const { data, isError, refetch, isFetching } = useQuery(adminSettingsQueries.readSettings())
  if (data !== undefined) return <SettingsEditor loaded={data} />
  return (
    <>
      <PageHeader title="Settings" />
      {isError ? (
        <FailedState
          message="The settings could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      ) : (
        <div className="grid gap-6">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-96 w-full rounded-card" />
        </div>
      )}
    </>
  )
}

function SettingsEditor({ loaded }: { loaded: Loaded }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const queryClient = useQueryClient()
  const form = useForm<SettingsValues>({ defaultValues: toSettingsValues(loaded.settings) })
  // The settings from which the values in the form come. The query can be read again while the form
  // keeps its values; with the newer version, a save would revert another administrator's change
  // unnoticed.
  const [base, setBase] = useState(loaded.settings)
  const save = useSaveSettings()
  const banner = useBanner()
  const [ownErrors, setOwnErrors] = useState<Record<string, string>>({})
  const [reason, setReason] = useState('')
  const { isDirty } = form.formState
  const errors = { ...getFieldErrors(save.error), ...ownErrors }
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'general'
  const openTab = (next: string) => url.set({ tab: next }, { replace: true })

  const showFaults = (faults: Readonly<Record<string, string>>) => {
    const tabs = Object.keys(faults).map((name) => findTab(name, form.getValues()))
    const first = TABS.find((each) => tabs.includes(each))
    if (first !== undefined && !tabs.includes(tab)) openTab(first)
  }
  const resetForm = (
    settings: AdminSettings,
    { keepDirtyValues }: { keepDirtyValues: boolean },
  ) => {
    form.reset(toSettingsValues(settings), { keepDirtyValues })
    setBase(settings)
  }
  const submit = (confirm: boolean) => {
    const body = toSettingsBody(form.getValues(), base, confirm)
    const faults = collectErrors(SettingsForm.safeParse(body).error?.issues ?? [])
    setOwnErrors(faults)
    banner.hide()
    if (Object.keys(faults).length > 0) {
      showFaults(faults)
      return
    }
    save.mutate(
      { ...body, ...toReason(reason) },
      {
        onSuccess: ({ settings }) => {
          resetForm(settings, { keepDirtyValues: false })
          setReason('')
          banner.show()
          keepVisitMessage('Settings saved successfully!')
        },
        onError: (error) => showFaults(getFieldErrors(error)),
      },
    )
  }
  const reloadSettings = (keepDirtyValues: boolean) =>
    queryClient
      .fetchQuery({ ...adminSettingsQueries.readSettings(), staleTime: 0 })
      .then(({ settings }) => {
        resetForm(settings, { keepDirtyValues })
        save.reset()
      })
      .catch(() => {})
  const hasFaults = Object.keys(errors).length > 0
  const canSave = useHasPermission()('settings.write')
  const wrapInFieldset = (fields: ReactNode) => (
    <fieldset disabled={!canSave} className="contents">
      {fields}
    </fieldset>
  )
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        <PageHeader
          title="Settings"
          text={
            <Allowed permission="audit.read">
              <LastChange />
            </Allowed>
          }
          hasTimes
        />
        <WaitingChanges kind="settings" />
        {isDirty && <ChangeReason value={reason} onChange={setReason} error={errors.reason} />}
        <Tabs
          label="Settings"
          value={tab}
          onChange={openTab}
          tabs={[
            {
              id: 'general',
              label: 'General',
              content: wrapInFieldset(<GeneralTab errors={errors} />),
            },
            {
              id: 'security',
              label: 'Security',
              content: wrapInFieldset(
                <SecurityTab errors={errors} callerAddress={loaded.callerAddress} />,
              ),
            },
            {
              id: 'notifications',
              label: 'Notifications',
              content: wrapInFieldset(<NotificationsTab errors={errors} />),
            },
            {
              id: 'payment',
              label: 'Payment',
              content: wrapInFieldset(
                <PaymentTab errors={errors} unconnected={loaded.unconnectedMethods} />,
              ),
            },
          ]}
        />
        <Allowed permission="settings.write">
          <SaveBar
            saveLabel="Save Settings"
            isDirty={isDirty}
            isSaving={save.isPending}
            onReset={() => {
              form.reset()
              save.reset()
              setOwnErrors({})
              setReason('')
            }}
          >
            {/* The element is present before its text, so that screen readers announce the text. */}
            <div role="status">
              {banner.isShown && <Notice tone="success">Settings saved successfully!</Notice>}
            </div>
            {save.isError && !ANSWERED_IN_A_DIALOG.includes(getErrorCode(save.error) ?? '') && (
              <ActFailure error={save.error} fallback="The settings were not saved." />
            )}
            {!save.isError && hasFaults && (
              <Notice tone="error">Nothing was saved. Please correct the marked fields.</Notice>
            )}
          </SaveBar>
        </Allowed>
      </form>
      <SaveConfirmation
        error={save.error}
        pending={save.isPending}
        onConfirm={() => submit(true)}
        onTakeSaved={() => void reloadSettings(false)}
        onKeepMine={() => void reloadSettings(true)}
        onClose={() => save.reset()}
      />
    </FormProvider>
  )
}

/** Hides the success banner three seconds after a save. The documentation states this time. */
function useBanner() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), BANNER_MS)
    return () => clearTimeout(timer)
  }, [isShown])
  return { isShown, show: () => setShown(true), hide: () => setShown(false) }
}
