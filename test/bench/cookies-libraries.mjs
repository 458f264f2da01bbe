const CATEGORIES = 'categories:{necessary:{readOnly:true,enabled:true},analytics:{}}';

/**
 * Consent libraries: the packages, what goes into the head, and the script that shows the banner.
 * Paths are seen from `extra/NAME/`.
 */
export const LIBRARIES = [
  vanilla2('vanilla-cookieconsent-2', false),
  vanilla2('vanilla-cookieconsent-2-forced', true),
  {
    name: 'vanilla-cookieconsent-3-modal',
    specs: ['vanilla-cookieconsent@3.1.0'],
    head:
      css('vanilla-cookieconsent-3.1.0/dist/cookieconsent.css') +
      js('vanilla-cookieconsent-3.1.0/dist/cookieconsent.umd.js'),
    run: `CookieConsent.run({hideFromBots:false,disablePageInteraction:true,${CATEGORIES},language:{default:'de',translations:{de:{consentModal:{title:'Cookies',description:'Wir verwenden Cookies auf dieser Seite.',acceptAllBtn:'Alle annehmen',acceptNecessaryBtn:'Ablehnen'},preferencesModal:{sections:[]}}}}})`,
  },
  insites('bottom', {}),
  insites('opt-out-pushed', { type: 'opt-out', position: 'top', static: true }),
  insites('floating', { type: 'opt-in', position: 'bottom-left' }),
  orejime('en', ''),
  orejime('de', 'forceBanner:true,'),
  orejime('fr', 'forceModal:true,'),
  {
    name: 'cookie-though',
    specs: ['cookie-though@1.7.3'],
    head: '',
    run: `var e=document.createElement('script');e.src='../../vendor/cookie-though-1.7.3/dist/lib.js';window.exports={};window.module={exports:window.exports};e.onload=function(){var C=window.CookieThough||window.cookieThough||window.module.exports;(C.default||C).init({policies:[{id:'essential',label:'Essential Cookies',description:'We need them.',category:'essential'},{id:'functional',label:'Functional Cookies',description:'For your choices.',category:'functional'}],essentialLabel:'Always on',permissionLabels:{accept:'Accept',acceptAll:'Accept all',decline:'Decline'},header:{title:'cookie though?',subTitle:"You're probably fed up with these banners...",description:'Everybody wants to show his best side, so we use cookies to do so.'},cookiePolicy:{url:'#p',label:'Read the full cookie declaration'},customizeLabel:'Customize'})};document.body.appendChild(e)`,
  },
  {
    name: 'vue-cookie-law',
    specs: ['vue-cookie-law@1.13.3', 'vue@2.7.16'],
    head: js('vue-2.7.16/dist/vue.js') + js('vue-cookie-law-1.13.3/dist/vue-cookie-law.js'),
    run: `var r=document.createElement('div');document.body.appendChild(r);var L=window.CookieLaw||window['vue-cookie-law']||window.VueCookieLaw;new Vue({el:r,render:function(h){return h(L.default||L,{props:{theme:'dark-lime'}})}})`,
  },
  {
    name: 'ez-consent',
    specs: ['ez-consent@1.2.2'],
    head: css('ez-consent-1.2.2/dist/themes/box-bottom-left.min.css') + js('ez-consent-1.2.2/dist/ez-consent.min.js'),
    run: 'ez_consent.init({is_always_visible:true})',
  },
  {
    name: 'js-cookie-consent',
    specs: ['js-cookie-consent@1.3.1'],
    head: css('js-cookie-consent-1.3.1/dist/css/styles.css'),
    run: `window.exports={};window.module={exports:{}};var e=document.createElement('script');e.src='../../vendor/js-cookie-consent-1.3.1/dist/index.js';e.onload=function(){cookieConsent({cookieName:'c',message:'We use cookies to provide you with the best experience.',options:[{title:'Essential cookies',description:'Strictly necessary.',key:'essential',disabled:true,checked:true},{title:'Marketing',description:'For advertising.',key:'marketing'}],learnMore:'#l',expiration:7,color:'#6666ff'})};document.body.appendChild(e)`,
  },
  {
    name: 'klaro-modal',
    specs: ['klaro@0.7.22'],
    head: css('klaro-0.7.22/dist/klaro.min.css'),
    run: `window.klaroConfig={version:1,elementID:'klaro',mustConsent:true,acceptAll:true,lang:'fr',translations:{fr:{privacyPolicyUrl:'/p',purposes:{analytics:'Mesure'}}},services:[{name:'matomo',title:'Matomo',purposes:['analytics'],cookies:[]}]};var s=document.createElement('script');s.src='../../vendor/klaro-0.7.22/dist/klaro-no-css.js';s.onload=function(){setTimeout(function(){if(!document.querySelector('#klaro .cookie-modal'))window.klaro.setup(window.klaroConfig)},100)};document.body.appendChild(s)`,
  },
  {
    name: 'tarteaucitron-small',
    specs: ['tarteaucitronjs@1.34.0'],
    head: js('tarteaucitronjs-1.34.0/tarteaucitron.js'),
    run: `window.tarteaucitronForceLanguage='fr';tarteaucitron.init({privacyUrl:'',hashtag:'#tarteaucitron',cookieName:'tarteaucitron',orientation:'bottom',groupServices:true,showAlertSmall:true,cookieslist:true,adblocker:false,AcceptAllCta:true,DenyAllCta:true,highPrivacy:true,removeCredit:true,moreInfoLink:true,useExternalCss:false,showIcon:true,iconPosition:'BottomLeft'});(tarteaucitron.job=tarteaucitron.job||[]).push('youtube');if(document.readyState==='complete')window.dispatchEvent(new Event('load'))`,
  },
];

function css(path) {
  return `<link rel="stylesheet" href="../../vendor/${path}">`;
}

function js(path) {
  return `<script src="../../vendor/${path}"></script>`;
}

function vanilla2(name, forced) {
  return {
    name,
    specs: ['vanilla-cookieconsent@2.9.2'],
    head:
      css('vanilla-cookieconsent-2.9.2/dist/cookieconsent.css') +
      js('vanilla-cookieconsent-2.9.2/dist/cookieconsent.js'),
    run: `initCookieConsent().run({hide_from_bots:false,force_consent:${forced},current_lang:'en',languages:{en:{consent_modal:{title:'We use cookies!',description:'This website uses essential cookies to ensure its proper operation.',primary_btn:{text:'Accept all',role:'accept_all'},secondary_btn:{text:'Reject all',role:'accept_necessary'}},settings_modal:{title:'Cookie preferences',save_settings_btn:'Save',accept_all_btn:'Accept all',blocks:[{title:'Necessary',description:'Always on.',toggle:{value:'necessary',enabled:true,readonly:true}}]}}}})`,
  };
}

function insites(name, options) {
  const all = { palette: { popup: { background: '#383b75' }, button: { background: '#f1d600' } }, ...options };
  return {
    name: `insites-${name}`,
    specs: ['cookieconsent@3.1.1'],
    head: css('cookieconsent-3.1.1/build/cookieconsent.min.css') + js('cookieconsent-3.1.1/build/cookieconsent.min.js'),
    run: `cookieconsent.initialise(${JSON.stringify(all)})`,
  };
}

function orejime(language, options) {
  return {
    name: `orejime-${language}`,
    specs: ['orejime@3.2.1'],
    head: css('orejime-3.2.1/dist/orejime-standard.css'),
    run: `window.orejimeConfig={${options}privacyPolicyUrl:'#p',purposes:[{id:'stats',title:'Stats',description:'Counts visits.',cookies:['s']}]};var e=document.createElement('script');e.src='../../vendor/orejime-3.2.1/dist/orejime-standard-${language}.js';document.body.appendChild(e)`,
  };
}
