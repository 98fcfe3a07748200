<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>GPUConfig: Apache-2.0. Qt: LGPL. Icons: Lucide, ISC. Fall-back face: Noto Sans SC, OFL.</source>
        <translation>GPUConfig：Apache-2.0；Qt：LGPL；图标：Lucide，ISC；后备字体：Noto Sans SC，OFL。</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Python {python}, Qt {qt}</source>
        <translation>Python {python}，Qt {qt}</translation>
    </message>
</context>
<context>
    <name>FactsSection</name>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n 款</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n package(s)</source>
        <translation>
            <numerusform>%n 个软件包</numerusform>
        </translation>
    </message>
    <message>
        <source>Asks the package index that pip uses: some MB, several hundred for each new release. Nothing else is sent.</source>
        <translation>查询 pip 所用的软件包索引：通常数 MB，每个新版本数百 MB。不发送其他任何内容。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the refresh</source>
        <translation>取消更新</translation>
    </message>
    <message>
        <source>GPU catalogue</source>
        <translation>GPU 目录</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Other packages around TensorFlow</source>
        <translation>TensorFlow 的其他相关软件包</translation>
    </message>
    <message>
        <source>Reading the tables…</source>
        <translation>正在读取数据表…</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>Refresh the reference data now</source>
        <translation>立即更新参考数据</translation>
    </message>
    <message>
        <source>TensorFlow packages</source>
        <translation>TensorFlow 安装包</translation>
    </message>
    <message>
        <source>checked {date}</source>
        <translation>核对于 {date}</translation>
    </message>
    <message>
        <source>refreshed by you</source>
        <translation>由您更新</translation>
    </message>
    <message>
        <source>shipped with the program</source>
        <translation>随软件附带</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} 至 {last}</translation>
    </message>
</context>
<context>
    <name>FilesSection</name>
    <message>
        <source>Forget</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Forget what runs measured</source>
        <translation>清除运行的实测结果</translation>
    </message>
    <message>
        <source>Forget {n} for good</source>
        <translation>彻底清除 {n} 条</translation>
    </message>
    <message>
        <source>Forgotten: {n}</source>
        <translation>已清除 {n} 条</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>实测结果</translation>
    </message>
    <message>
        <source>One file, read at the start</source>
        <translation>一个文件，启动时读取</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>打开{name}</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Test runs and trainings with their logs</source>
        <translation>试运行与训练及其日志</translation>
    </message>
    <message>
        <source>What runs on this machine measured; plans use it instead of the estimate</source>
        <translation>本机各次运行的实测值；方案用它代替估计值</translation>
    </message>
    <message>
        <source>What went wrong, for a report</source>
        <translation>出错记录，便于反馈</translation>
    </message>
</context>
<context>
    <name>GeneralSection</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Follow the system ({language})</source>
        <translation>跟随系统（{language}）</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Takes effect at once, no restart</source>
        <translation>立即生效，无需重启</translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <source>Leave out serial numbers, user and host names and addresses; card ids become pseudonyms, your home folder becomes ~.</source>
        <translation>不包含序列号、用户名、主机名和地址；显卡标识改为化名，主目录写作 ~。</translation>
    </message>
    <message>
        <source>Nothing is sent</source>
        <translation>不发送任何数据</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Recorded machines and summaries</source>
        <translation>录制的机器与摘要</translation>
    </message>
    <message>
        <source>The program works offline. It makes no connection by itself and counts nothing.</source>
        <translation>程序可离线工作，不会自行联网，也不做任何统计。</translation>
    </message>
</context>
<context>
    <name>PythonSection</name>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Folder with Python environments</source>
        <translation>含有 Python 环境的文件夹</translation>
    </message>
    <message>
        <source>Only the usual places are searched</source>
        <translation>只搜索常见位置</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {folder}</source>
        <translation>移除 {folder}</translation>
    </message>
    <message>
        <source>The active environment, conda, pyenv, uv, the system, and .venv folders below your home</source>
        <translation>当前激活的环境、conda、pyenv、uv、系统，以及主目录下的 .venv 文件夹</translation>
    </message>
</context>
<context>
    <name>SamplingSection</name>
    <message>
        <source>A laptop’s second card sleeps to save power; reading it keeps it awake and empties the battery</source>
        <translation>笔记本的第二块显卡会休眠省电；读取会让它保持唤醒并耗电</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>采样间隔</translation>
    </message>
    <message>
        <source>Kept in memory, never on disk; counts from the next machine that is opened</source>
        <translation>只保存在内存中，不写磁盘；从下次打开机器起生效</translation>
    </message>
    <message>
        <source>Processes and PCIe traffic; each costs the driver some milliseconds</source>
        <translation>进程与 PCIe 流量；每次读取会占用驱动几毫秒</translation>
    </message>
    <message>
        <source>Slow readings</source>
        <translation>慢速读数</translation>
    </message>
    <message>
        <source>Utilisation, memory, temperature, power</source>
        <translation>利用率、显存、温度、功耗</translation>
    </message>
    <message>
        <source>Wake sleeping cards</source>
        <translation>唤醒休眠的显卡</translation>
    </message>
    <message>
        <source>{number} h</source>
        <translation>{number} 小时</translation>
    </message>
    <message>
        <source>{number} s</source>
        <translation>{number} 秒</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>All changes are saved at once</source>
        <translation>所有更改立即保存</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>General</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation>没有匹配的设置。</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Python folders</source>
        <translation>Python 文件夹</translation>
    </message>
    <message>
        <source>Reference data</source>
        <translation>参考数据</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
</TS>
