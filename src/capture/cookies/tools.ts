/** A consent tool, and the elements it puts on a page: its banner with all that belongs to it, its floating button. */
export interface ConsentTool {
  readonly name: string;
  readonly selectors: readonly string[];
}

/** Consent tools by the ids and classes that they are known by: found without reading, in any language and style. */
export const CONSENT_TOOLS: readonly ConsentTool[] = [
  tool('OneTrust', '#onetrust-consent-sdk, #onetrust-banner-sdk, #onetrust-pc-sdk, .onetrust-pc-dark-filter'),
  tool('OneTrust', '#ot-sdk-btn-floating, .optanon-alert-box-wrapper'),
  tool('Cookiebot', '#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #CookiebotWidget'),
  tool('Usercentrics', '#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal, .uc-banner, #uc-btn-floating'),
  tool('Didomi', '#didomi-host, #didomi-popup, #didomi-notice'),
  tool('Quantcast', '#qc-cmp2-container, #qc-cmp2-main, .qc-cmp-ui-container, #qc-cmp2-persistent-link'),
  tool(
    'TrustArc',
    '#truste-consent-track, #trustarc-banner-overlay, .truste_overlay, .truste_box_overlay, #consent_blackbar',
  ),
  tool('TrustArc', 'iframe[src*="consent-pref.trustarc.com"], #teconsent-banner, .trustarc-banner-container'),
  tool('Klaro', '#klaro .cookie-notice, #klaro .cookie-modal, .klaro .cookie-notice, .klaro .cookie-modal'),
  tool('tarteaucitron', '#tarteaucitronRoot, #tarteaucitronAlertBig, #tarteaucitronAlertSmall, #tarteaucitronIcon'),
  tool('iubenda', '#iubenda-cs-banner, #iubenda-iframe, .iubenda-tp-btn[data-tp-float], .iubenda-uspr-btn'),
  tool('CookieYes', '.cky-consent-container, .cky-overlay, .cky-modal, .cky-btn-revisit-wrapper, #cookie-law-info-bar'),
  tool('CookieYes', '#cookie-law-info-again, .cli-modal, .cli-modal-backdrop'),
  tool('Complianz', '#cmplz-cookiebanner-container, .cmplz-cookiebanner, #cmplz-manage-consent'),
  tool('Osano', '.osano-cm-window, .osano-cm-dialog, .osano-cm-widget, .cc-window.cc-banner, .cc-window.cc-floating'),
  tool('Osano', '.cc-revoke, .cc_banner-wrapper, .cc_container'),
  tool('Sourcepoint', '[id^="sp_message_container_"], iframe[id^="sp_message_iframe_"]'),
  tool('Borlabs', '#BorlabsCookieBox, #BorlabsCookieBoxWidget, #BorlabsCookieWidget, ._brlbs-box'),
  tool('Termly', '#termly-code-snippet-support, .termly-styles-root, [class*="termly-styles-bannerBackground"]'),
  tool('Axeptio', '#axeptio_overlay, #axeptio_main_button, .axeptio_mount'),
  tool('Sirdata', '#sd-cmp, .sd-cmp-container'),
  tool('CookieFirst', '#cookiefirst-root, [data-cookiefirst-widget="banner"], .cookiefirst-root'),
  tool('CookieHub', '.ch2-dialog, .ch2-container, .ch2-icon, .ch2-overlay'),
  tool('consentmanager', '#cmpbox, #cmpbox2, #cmpwrapper, .cmpboxBG, .cmpboxrecall, #cmpboxrecall'),
  tool('Cookie Script', '#cookiescript_injected, #cookiescript_injected_wrapper, #cookiescript_badge'),
  tool('Cookie Information', '#coiOverlay, #coi-banner-wrapper, #coiConsentBanner, #Coi-Renew'),
  tool('Civic', '#ccc-overlay, #ccc-icon, #ccc-module, #ccc-notify'),
  tool('Google Funding Choices', '.fc-consent-root, .fc-dialog-overlay'),
  tool('Ketch', '#lanyard_root, #ketch-consent-banner'),
  tool('Transcend', '#transcend-consent-manager'),
  tool('Evidon', '#_evidon_banner, #_evidon-banner, #_evidon-background'),
  tool('Admiral', '#admiral-consent'),
  tool('Commanders Act', '#footer_tc_privacy, #tc-privacy-wrapper, #popin_tc_privacy'),
  tool('CCM19', '.ccm-root, .ccm-modal, .ccm-settings-summoner'),
  tool('Cookie Notice', '#cookie-notice[role], .hu-cookie-notice, #hu.hu-visible, #hu-revoke'),
  tool('Moove GDPR', '#moove_gdpr_cookie_info_bar, #moove_gdpr_cookie_modal, #moove_gdpr_save_popup_settings_button'),
  tool('Cookie Consent', '#cc-main, #cc--main, #cm-ov'),
  tool('orejime', '.orejime-Env, .orejime-BannerContainer, .orejime-ModalOverlay, .orejime-Banner'),
  tool('Silktide', '#silktide-wrapper, #silktide-banner, #silktide-backdrop, #silktide-cookie-icon, #stcm-wrapper'),
  tool('Shopify', '#shopify-pc__banner, #shopify-pc__prefs, .shopify-pc__banner__dialog'),
  tool('Drupal', '#sliding-popup.sliding-popup-bottom, #sliding-popup.sliding-popup-top, .eu-cookie-withdraw-tab'),
  tool('HubSpot', '#hs-eu-cookie-confirmation, #hs-banner-parent'),
  tool('AWS', '#awsccc-cb, #awsccc-cs'),
  tool('Wix', '[data-hook="ccsu-banner-wrapper"], [data-hook="consent-banner-root"]'),
  tool('Squarespace', '.sqs-cookie-banner-v2'),
  tool('Webflow Finsweet', '[fs-cc="banner"], [fs-cc="preferences"], [fs-cc="manager"]'),
  tool('Ezoic', '#ez-cookie-dialog-wrapper'),
  tool('UniConsent', '#uniccmp, #unic-b'),
  tool('Pandectes', '#pandectes-banner, .pd-cookie-banner-window'),
  tool('GOV.UK', '.govuk-cookie-banner, #global-cookie-message'),
];

function tool(name: string, selectors: string): ConsentTool {
  return { name, selectors: selectors.split(/,\s*/) };
}
