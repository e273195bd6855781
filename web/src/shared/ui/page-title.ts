export function setPageTitle(title: string): void {
  document.title = title === 'Cairn' ? title : `${title} · Cairn`
}
