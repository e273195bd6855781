const LANGUAGES =
  'ar-EG bg-BG cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-ES es-MX et-EE fi-FI fr-CA fr-CH fr-FR he-IL hi-IN hr-HR hu-HU id-ID it-IT ja-JP ko-KR lt-LT lv-LV nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'

/** Lists the languages in which dates can be shown, sorted by English name. */
export function listDateLanguages(): ReadonlyArray<readonly [tag: string, name: string]> {
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  return LANGUAGES.split(' ')
    .map((tag) => [tag, names.of(tag) ?? tag] as const)
    .toSorted(([, left], [, right]) => left.localeCompare(right, 'en'))
}

export function listTimeZones(): ReadonlyArray<readonly [zone: string, name: string]> {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map(
    (zone) => [zone, zone.replaceAll('_', ' ')] as const,
  )
}
