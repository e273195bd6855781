export const SITE_NAME = 'Cairn'
export const CURRENCY = 'USD'
