/**
 * Words of consent banners, as parts of words in lower case. Each line is one language or a group of languages.
 *
 * They match anywhere in a label, because German and Finnish have compound words, and Japanese does not separate words.
 */

const COOKIE = [
  'cookie',
  'témoins de connexion|galetes',
  'informasjonskapsl|vafrakök|vefkök',
  'eväste|küpsis',
  'ciastecz|slapuk|sīkdat|sīkfail',
  'piškot|kolačić|sušenk',
  'süti|çerez',
  'куки|кукі|файлы cookie|бисквитк|колачић',
  'クッキー|쿠키|คุกกี้|小型文本文件',
  'ملفات تعريف الارتباط|الكوكيز|عملفات الارتباط|کوکی|עוגיות|קובצי cookie',
];

/** Words for privacy and consent. Alone they are weak evidence, because forms and footers use them too. */
const PRIVACY = [
  'privacy|consent|personal data|personal information|gdpr|ccpa|tracking',
  'datenschutz|privatsphäre|einwilligung|personenbezogen|dsgvo',
  'vie privée|consentement|données personnelles|données à caractère|confidentialité|rgpd',
  'privacidad|consentimiento|datos personales|privacidade|consentimento|dados pessoais|lgpd',
  'riservatezza|consenso|dati personali|privadesa',
  'toestemming|persoonsgegevens|integritet|samtycke|samtykke|privatliv|personvern|persondata|personuppgift',
  'tietosuoja|yksityisyy|suostumu|henkilötie|adatvéd|hozzájárul|gizlilik|kişisel veri',
  'prywatnoś|zgod|danych osobowych|soukromí|souhlas|osobní údaj|súkromi|súhlas|zasebnost|privatnost',
  'confidențialit|consimțământ|απόρρητο|συγκατάθεση|προσωπικ',
  'конфиденциальност|персональн|согласи|конфіденційн|персональних|згод|поверителност',
  'プライバシー|個人情報|同意|개인정보|동의|隐私|隱私|个人信息|ความเป็นส่วนตัว|خصوصية|הפרטיות',
];

/** Words that banners use together with `cookie`. They exclude other cookies, such as those of a bakery. */
const CONTEXT = [
  'website|web site|this site|our site|webpage|browser|your device|analytic|traffic|advert|third.part|personali[sz]|use cookies|uses cookies|using cookies|cookies to |cookie policy|cookie notice',
  'webseite|diese seite|unsere seite|verwende|nutzen|nutzt|einsatz von|statistik|werbung|richtlinie|technologien',
  'ce site|notre site|utilis|mesure d|publicit|navigation|audience|traceurs',
  'este sitio|nuestro sitio|esta web|utiliza|usamos|navegación|publicidad|analítica|este site|nosso site|navegação|análise',
  'questo sito|nostro sito|usiamo|navigazione|analisi',
  'gebruik|deze site|onze site|använd|webbplats|bruger|bruker|hjemmeside|nettsted|nettside|anvender|benytter',
  'sivusto|käytämme|käyttää|honlap|weboldal|haszn|veebisai|kasuta|kullan|sitemiz|sitesi',
  'używa|wykorzyst|korzysta|stron|serwis|používá|stránk|použív|koristi|uporablja|naudoja|svetain|izmanto|vietne|folos|site-ul',
  'χρησιμοποι|ιστοσελίδ|ιστότοπ|сайт|использ|вебсайт|використ|використов|използва',
  '使用|利用|サイト|사용|사이트|网站|網站|เว็บไซต์|ใช้|الموقع|نستخدم|האתר|وب‌سایت',
];

/** Verbs that say that a site uses cookies. At most two words stand between the verb and the cookies. */
const USE = [
  '(?<!\\p{L})(?:uses?|used|using|utili[sz]es?)(?!\\p{L})',
  'verwende|nutz(?:en|t)|einsatz von|setz(?:en|t)',
  'utilis|utiliz|usamos|emplea|empregamos|usiamo|(?<!\\p{L})(?:usa|usano|emploie|fa uso)(?!\\p{L})',
  'gebruik|använd|bruger|bruker|anvender|benytter|notar(?!\\p{L})|käyttää|käytämme',
  'używa|wykorzyst|korzysta|používá|použív|koristi|uporablja|naudoja|izmanto|folos|kasuta|haszn|kullan',
  'χρησιμοποι|использ|використ|използва',
  '使用|利用|사용|ใช้|نستخدم|يستخدم|משתמש',
];

/** States that cookies are in when something does not work, as parts of words. */
const BLOCKED = [
  'blocked|disabled|turned off|switched off|not (?:enabled|allowed|supported|accepted)',
  'blockiert|deaktiviert|gesperrt|ausgeschaltet|bloqué|désactivé|bloquead|desactivad|deshabilitad|desativad|desabilitad',
  'bloccat|disabilitat|disattivat|geblokkeerd|uitgeschakeld|zablokowan|wyłączon|blockerad|inaktiverad|blokeret|deaktiveret',
  'заблокирован|отключен|заблоковано|вимкнен|無効|禁用|阻止|차단',
];

const FAILED =
  'failed|fehlgeschlagen|échoué|ha fallado|non riuscit|mislukt|falhou|nie powiodł|misslyckades|не удал|失敗|失败|실패';

/** Requests to switch cookies on. In a browser, the user does that, not the site. */
const ENABLE =
  'enable|turn on|switch on|unblock|aktivieren|einschalten|activez|autorisez|habilit|activ[ae]|abilit|attiv|ative|schakel|włącz';

/** Words for "all". An accept label with one of them is typical of banners. */
const ALL = [
  'all|everything|alle|alles|allen|allem|tout|toutes?|tous|todos?|todas?|tudo|tutt[oiae]|tots|totes',
  'alla|allt|kaikki|kaikkien|kõik|összes|mindet|mind|vše|všechny|všetk[oy]|wszystk(?:o|ie|ich)|vse|sve|visus|visas|toate',
  'tümünü|hepsini|όλ(?:α|ων|ες)|вс[её]|всі|усі|всички',
];

/** Words for "all" in languages that do not separate words. */
const ALL_PARTS = 'すべて|全て|全部|所有|모두|전체|ทั้งหมด|الكل|جميع|הכל';

/** Names of the purposes of cookies. A list of them is typical of banners. */
const PURPOSES = [
  'necessary|essential|notwendig|essenziell|nécessaire|necesari|necessari|noodzakelijk|nödvändig|nødvendig|niezbędn|необходим|必須|필수',
  'analytic|statisti|performance|analyse|analític|analitic|mesure|estadístic|estatístic|статисти|аналит|分析|통계',
  'marketing|advertis|targeting|werbung|publicit|publicidad|pubblicità|annons|реклам|広告|마케팅',
  'functional|preferences|funktional|fonctionnel|funcional|funzional|functioneel|funktion|функциональн|機能|기능',
];

/** Labels that reject, or accept only necessary cookies. Tested first, because "accept only necessary" is a rejection. */
const REJECT = [
  'reject|decline|deny|refuse|disagree|opt out|opt-out|necessary|essential|required only|only required|without accepting|do not accept|do not allow|disable all|not now|no thanks|do not sell',
  'ablehn|verweiger|notwendig|essenziell|erforderlich|ohne zustimm|ohne einwillig|nicht zustimm|widersprechen',
  "refuser|rejeter|nécessaire|essentiel|sans accepter|je refuse|tout interdire|s'opposer",
  'rechaz|denegar|necesari|esencial|sin aceptar|no aceptar|recus|rejeitar|necessári|essenciai|sem aceitar|rebutjar',
  'rifiut|necessari|essenzial|senza accettare|nega|weiger|afwijz|noodzakelijk|essentiële|niet accepteren',
  'avvis|avböj|neka|nödvändig|nødvendig|afvis|avslå|kun nødvendige|hylkää|välttämätt|kieltäydy|keeldu',
  'odrzuc|odmaw|odmów|niezbędn|koniecz|odmítn|zamítn|nezbytn|odmietn|nevyhnutn|zavrni|odbij|nužn|atmesti|noraidīt|respinge|strict necesare',
  'elutasít|szükséges|reddet|zorunlu|απόρριψη|απαραίτητ|отклон|отказ|необходим|відхил|необхідн|не согла',
  '拒否|拒绝|拒絕|必須|必要|同意しない|거부|필수|ปฏิเสธ|رفض|דחה|דחייה',
];

const SETTINGS = [
  'setting|preference|manage|customi[sz]e|more options|more choices|show purposes|show details|configure|learn more and|privacy choices|let me choose',
  'einstellung|konfigurier|anpassen|verwalten|individuell|mehr optionen|details anzeigen|auswahl|optionen',
  'paramétr|paramètre|personnalis|gérer|préférence|choisir|configur',
  'preferencia|ajustes|personalizar|gestionar|opciones|preferência|definições|gerir|gerenciar',
  'preferenz|impostazion|personalizza|gestisci|opzioni|instelling|voorkeur|beheer|aanpassen',
  'inställning|hantera|anpassa|indstilling|tilpas|innstilling|administrer|asetuks|hallitse|muokkaa|valinnat|seaded',
  'ustawien|dostosuj|zarządz|preferencj|nastaven|přizpůsob|upravit|prispôsob|spravovať|nastavitve|postavke|nustatym|iestatījum|setări|personaliz',
  'beállítás|testreszab|ayarlar|tercih|ρυθμίσεις|προτιμήσεις|настро|параметр|налашт|выбрать',
  '設定|设置|設置|設定|管理|설정|관리|ตั้งค่า|إعدادات|הגדרות',
];

const ACCEPT = [
  'accept|agree|allow|i consent|consent to|enable all|enable cookies|opt in|opt-in',
  'akzeptier|zustimm|einverstanden|erlauben|zulassen|annehmen|einwilligen',
  "accepte|autorise|j'accepte|d'accord|consentir",
  'acept|permitir|consentir|estoy de acuerdo|aceit|concord|acceptar',
  'accett|acconsent|consenti|accepteer|accepter|akkoord|toestaan|sta toe|instemmen',
  'godkänn|acceptera|tillåt|samtyck|godta|godkend|accepter|tillad|samtykk|hyväksy|salli|nõustu|luba',
  'akceptu|zgadzam|zezw|wyrażam|přijm|souhlas|povolit|prijať|prijím|súhlas|povoliť|sprejm|prihva|slažem|sutink|piekrīt|accept',
  'elfogad|engedélyez|hozzájárul|kabul|izin ver|αποδοχή|αποδέχομαι|συμφων|приня|принима|соглас|разреш|прийня|погодж|приемам',
  '同意|許可|承諾|接受|允许|允許|동의|수락|허용|ยอมรับ|قبول|أوافق|موافق|אישור|אני מסכי|קבל',
];

const ANSWER = ['yes|ja|oui|sí|si|sim|ano|áno|tak|да|はい'];

/** Whole labels that only acknowledge. */
const ACKNOWLEDGE = [
  'ok|okay|k|got it|i got it|ok got it|i understand|understood|continue|dismiss|fine|that s fine|that s ok|sounds good|i m ok with that|agreed|alright|hide this message|hide',
  'verstanden|alles klar|ich verstehe|weiter|in ordnung|gut|compris|j ai compris|continuer|bien reçu',
  'entendido|de acuerdo|continuar|vale|entendi|percebi|ho capito|capito|va bene|continua|prosegui|d acord|entesos',
  'begrepen|ik begrijp het|oké|doorgaan|prima|jag förstår|jag fattar|förstått|uppfattat|forstået|jeg forstår|forstått|greit|jatka|selvä|ymmärrän|ymmärsin|sain aru',
  'rozumiem|dalej|rozumím|pokračovat|rozumiem|v redu|razumijem|u redu|supratau|sapratu|am înțeles|de acord',
  'rendben|értem|tamam|anladım|εντάξει|κατάλαβα|ок|понятно|хорошо|ясно|зрозуміло|добре|разбрах',
  'ok|わかりました|了解|閉じる|확인|알겠습니다|好的|知道了|确定|我知道了|ตกลง|حسنا|موافق|הבנתי',
];

const CLOSE = [
  'close|x|×|✕|✖|✗|╳|⨯|schließen|schliessen|fermer|cerrar|fechar|chiudi|sluiten|stäng|luk|lukk|sulje|sulge|zamknij|zavřít|zavrieť|zapri|zatvori|bezárás|kapat|κλείσιμο|закрыть|закрити|閉じる|关闭|關閉|닫기|ปิด|إغلاق|סגור|nascondi|masquer|ocultar|închide|tancar',
];

/** The words of all languages, as sources of regular expressions for text in lower case with normalized spaces and apostrophes. */
export const CONSENT_WORDS = {
  cookie: COOKIE.join('|'),
  privacy: PRIVACY.join('|'),
  context: [...CONTEXT, ...PRIVACY].join('|'),
  reject: REJECT.join('|'),
  settings: SETTINGS.join('|'),
  accept: ACCEPT.join('|'),
  acknowledge: `^(${ACKNOWLEDGE.join('|')})$`,
  answer: `^(${ANSWER.join('|')})$`,
  close: `^(${CLOSE.join('|')})$`,
  use: useOf(COOKIE.join('|'), USE.join('|')),
  failure: failureOf(COOKIE.join('|')),
  all: `(?<!\\p{L})(${ALL.join('|')})(?!\\p{L})|${ALL_PARTS}`,
  purposes: PURPOSES,
  /** Typical ids and classes of consent banners. `cookie` alone is not enough: a bakery may use it as a class. */
  name: [
    'consent|gdpr|dsgvo|rgpd|ccpa|eprivacy|eu-?cookie|cookielaw|cookiewall|cookiebot|(^|[-_ ])(cmp|cc)([-_ ]|$)',
    'cookies?[-_ ]?(banner|bar|notice|notif|law|pop|modal|dialog|box|message|msg|info|alert|overlay|wall|setting|pref|warning|hint|disclaim|manager|policy|accept|open|shown|visible|active|layer|hinweis|height)',
    '(banner|bar|notice|popup|modal|accept|has|show|with)[-_ ]?cookies?([-_ ]|$)',
  ].join('|'),
};

/**
 * Consent tools, with the selectors of their elements: the banner with its parts, and the floating button. These find a banner in any language
 * and style, without its text.
 */
export const CONSENT_TOOLS: readonly (readonly [name: string, selectors: string])[] = [
  ['OneTrust', '#onetrust-consent-sdk, #onetrust-banner-sdk, #onetrust-pc-sdk, .onetrust-pc-dark-filter'],
  ['OneTrust', '#ot-sdk-btn-floating, .optanon-alert-box-wrapper'],
  ['Cookiebot', '#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #CookiebotWidget'],
  ['Usercentrics', '#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal, .uc-banner, #uc-btn-floating'],
  ['Didomi', '#didomi-host, #didomi-popup, #didomi-notice'],
  ['Quantcast', '#qc-cmp2-container, #qc-cmp2-main, .qc-cmp-ui-container, #qc-cmp2-persistent-link'],
  [
    'TrustArc',
    '#truste-consent-track, #trustarc-banner-overlay, .truste_overlay, .truste_box_overlay, #consent_blackbar',
  ],
  ['TrustArc', 'iframe[src*="consent-pref.trustarc.com"], #teconsent-banner, .trustarc-banner-container'],
  ['Klaro', '#klaro .cookie-notice, #klaro .cookie-modal, .klaro .cookie-notice, .klaro .cookie-modal'],
  ['tarteaucitron', '#tarteaucitronRoot, #tarteaucitronAlertBig, #tarteaucitronAlertSmall, #tarteaucitronIcon'],
  ['iubenda', '#iubenda-cs-banner, #iubenda-iframe, .iubenda-tp-btn[data-tp-float], .iubenda-uspr-btn'],
  ['CookieYes', '.cky-consent-container, .cky-overlay, .cky-modal, .cky-btn-revisit-wrapper, #cookie-law-info-bar'],
  ['CookieYes', '#cookie-law-info-again, .cli-modal, .cli-modal-backdrop'],
  ['Complianz', '#cmplz-cookiebanner-container, .cmplz-cookiebanner, #cmplz-manage-consent'],
  ['Osano', '.osano-cm-window, .osano-cm-dialog, .osano-cm-widget, .cc-window.cc-banner, .cc-window.cc-floating'],
  ['Osano', '.cc-revoke, .cc_banner-wrapper, .cc_container'],
  ['Sourcepoint', '[id^="sp_message_container_"], iframe[id^="sp_message_iframe_"]'],
  ['Borlabs', '#BorlabsCookieBox, #BorlabsCookieBoxWidget, #BorlabsCookieWidget, ._brlbs-box'],
  ['Termly', '#termly-code-snippet-support, .termly-styles-root, [class*="termly-styles-bannerBackground"]'],
  ['Axeptio', '#axeptio_overlay, #axeptio_main_button, .axeptio_mount'],
  ['Sirdata', '#sd-cmp, .sd-cmp-container'],
  ['CookieFirst', '#cookiefirst-root, [data-cookiefirst-widget="banner"], .cookiefirst-root'],
  ['CookieHub', '.ch2-dialog, .ch2-container, .ch2-icon, .ch2-overlay'],
  ['consentmanager', '#cmpbox, #cmpbox2, #cmpwrapper, .cmpboxBG, .cmpboxrecall, #cmpboxrecall'],
  ['Cookie Script', '#cookiescript_injected, #cookiescript_injected_wrapper, #cookiescript_badge'],
  ['Cookie Information', '#coiOverlay, #coi-banner-wrapper, #coiConsentBanner, #Coi-Renew'],
  ['Civic', '#ccc-overlay, #ccc-icon, #ccc-module, #ccc-notify'],
  ['Google Funding Choices', '.fc-consent-root, .fc-dialog-overlay'],
  ['Ketch', '#lanyard_root, #ketch-consent-banner'],
  ['Transcend', '#transcend-consent-manager'],
  ['Evidon', '#_evidon_banner, #_evidon-banner, #_evidon-background'],
  ['Admiral', '#admiral-consent'],
  ['Commanders Act', '#footer_tc_privacy, #tc-privacy-wrapper, #popin_tc_privacy'],
  ['CCM19', '.ccm-root, .ccm-modal, .ccm-settings-summoner'],
  ['Cookie Notice', '#cookie-notice[role], .hu-cookie-notice, #hu.hu-visible, #hu-revoke'],
  ['Moove GDPR', '#moove_gdpr_cookie_info_bar, #moove_gdpr_cookie_modal, #moove_gdpr_save_popup_settings_button'],
  ['Cookie Consent', '#cc-main, #cc--main, #cm-ov'],
  ['orejime', '.orejime-Env, .orejime-BannerContainer, .orejime-ModalOverlay, .orejime-Banner'],
  ['Silktide', '#silktide-wrapper, #silktide-banner, #silktide-backdrop, #silktide-cookie-icon, #stcm-wrapper'],
  ['Shopify', '#shopify-pc__banner, #shopify-pc__prefs, .shopify-pc__banner__dialog'],
  ['Drupal', '#sliding-popup.sliding-popup-bottom, #sliding-popup.sliding-popup-top, .eu-cookie-withdraw-tab'],
  ['HubSpot', '#hs-eu-cookie-confirmation, #hs-banner-parent'],
  ['AWS', '#awsccc-cb, #awsccc-cs'],
  ['Wix', '[data-hook="ccsu-banner-wrapper"], [data-hook="consent-banner-root"]'],
  ['Squarespace', '.sqs-cookie-banner-v2'],
  ['Webflow Finsweet', '[fs-cc="banner"], [fs-cc="preferences"], [fs-cc="manager"]'],
  ['Ezoic', '#ez-cookie-dialog-wrapper'],
  ['UniConsent', '#uniccmp, #unic-b'],
  ['Pandectes', '#pandectes-banner, .pd-cookie-banner-window'],
  ['GOV.UK', '.govuk-cookie-banner, #global-cookie-message'],
];

/** Returns an expression for the verb before the cookies, or after them, as in Japanese, Korean and Turkish. */
function useOf(cookie: string, verb: string): string {
  const before = `(${verb})\\p{L}*[^\\p{L}.!?]*(\\p{L}+[^\\p{L}.!?]+){0,2}\\p{L}*(${cookie})`;
  return `${before}|(${cookie})\\p{L}*( \\p{L}+)? ?(使用|利用|사용|kullan|haszn|käyt|(?:are|is|we) use)`;
}

/** Returns an expression for an error, not for a condition: a banner also says "if cookies are blocked" or "cookies are blocked until you agree". */
function failureOf(cookie: string): string {
  const isBe = 'are|is|were|been|be|sind|wurden|sont|été|están|estão|sono|zijn|är|er|są';
  const condition = '(?:if|when|unless|until|wenn|falls|si|se|als|jeśli|om|hvis)';
  const blocked = `(?<!${condition} (?:[\\p{L}-]+ ){0,3})(?:${cookie})\\p{L}* ?(?:[\\p{L}-]+ )?(?:(?:${isBe}) (?:\\p{L}+ ){0,3})?(?:${BLOCKED.join('|')})\\p{L}*(?! (?:by default|until|unless|bis))`;
  const enable = `(?<!\\p{L})(?:${ENABLE})[^.!?]{0,30}(?:${cookie})[^.!?]{0,12}(?:browser|navigat|navegador|przegląd|to (?:sign|log|continue|proceed|use|view|access))`;
  return `(?<!\\p{L})(?:${FAILED})|${blocked}|${enable}`;
}
