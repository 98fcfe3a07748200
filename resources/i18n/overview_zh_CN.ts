<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>BannerBlock</name>
    <message>
        <source>Copy for support</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <source>Fix…</source>
        <translation>修复…</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Prove it</source>
        <translation>实测验证</translation>
    </message>
    <message>
        <source>Scan again</source>
        <translation>重新扫描</translation>
    </message>
</context>
<context>
    <name>CardsBlock</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not read</source>
        <translation>
            <numerusform>%n 块无读数</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index}</source>
        <translation>GPU {index}</translation>
    </message>
    <message>
        <source>GPU {index}, limit {limit}</source>
        <translation>GPU {index}，上限 {limit}</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Hottest</source>
        <translation>最高温度</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>Mean utilisation</source>
        <translation>平均利用率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Reading the cards…</source>
        <translation>正在读取显卡…</translation>
    </message>
    <message>
        <source>all answer</source>
        <translation>全部应答</translation>
    </message>
    <message>
        <source>limit {number} kW</source>
        <translation>上限 {number} kW</translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation>/ {total}</translation>
    </message>
    <message>
        <source>of {total} GiB</source>
        <translation>/ {total} GiB</translation>
    </message>
</context>
<context>
    <name>EmptyBlock</name>
    <message>
        <source>A card that sits loosely, lacks a power plug or is switched off in the firmware is not seen by anything.</source>
        <translation>显卡没有插紧、缺少供电插头，或在固件中被关闭时，任何软件都看不到它。</translation>
    </message>
    <message>
        <source>Check list</source>
        <translation>检查清单</translation>
    </message>
    <message>
        <source>Check that every power plug of the card is in, each from its own cable where it asks for two.</source>
        <translation>检查显卡的每个供电插头是否插好；需要两个插头时，请各用一根独立的线。</translation>
    </message>
    <message>
        <source>Choose a machine…</source>
        <translation>选择机器…</translation>
    </message>
    <message>
        <source>In a virtual machine, pass the card through on the host; start a container with GPU access.</source>
        <translation>在虚拟机中，请在宿主机上直通显卡；容器则需要带 GPU 权限启动。</translation>
    </message>
    <message>
        <source>In the firmware set-up, turn on “Above 4G decoding”; turn off a setting that disables the slot.</source>
        <translation>在固件设置中开启“Above 4G Decoding”，并关闭会禁用该插槽的选项。</translation>
    </message>
    <message>
        <source>Is a card fitted?</source>
        <translation>显卡装好了吗？</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Open a recorded machine from a colleague or a server. Checks, scripts and memory work the same.</source>
        <translation>打开同事或服务器上录制的机器。检查、脚本和显存估算同样可用。</translation>
    </message>
    <message>
        <source>Plan for another machine</source>
        <translation>为另一台机器做计划</translation>
    </message>
    <message>
        <source>Show the check list</source>
        <translation>显示检查清单</translation>
    </message>
    <message>
        <source>Small models learn here too. The script wizard knows that there is no GPU and sizes batch, threads and time for this processor.</source>
        <translation>小模型在这里也能训练。脚本向导知道没有 GPU，会按这颗处理器来定批量、线程和时间。</translation>
    </message>
    <message>
        <source>Start the machine and scan again.</source>
        <translation>开机后重新扫描。</translation>
    </message>
    <message>
        <source>Switch the machine off and unplug it. Check that the card sits fully in its slot.</source>
        <translation>关机并拔掉电源，检查显卡是否完全插入插槽。</translation>
    </message>
    <message>
        <source>Train on the processor</source>
        <translation>用处理器训练</translation>
    </message>
</context>
<context>
    <name>EnvironmentsBlock</name>
    <message>
        <source>Looking for Python environments…</source>
        <translation>正在查找 Python 环境…</translation>
    </message>
    <message>
        <source>Make a working environment…</source>
        <translation>创建可用环境…</translation>
    </message>
    <message>
        <source>No Python environment was found.</source>
        <translation>未找到 Python 环境。</translation>
    </message>
    <message>
        <source>Scan again</source>
        <translation>重新扫描</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>The output tells nothing about Python there. The verdict takes a fresh installation.</source>
        <translation>输出中没有那台机器的 Python 信息；结论按全新安装给出。</translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %n environment(s)</source>
        <translation>
            <numerusform>共 %n 个，显示 {shown} 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MachineMenu</name>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open a recorded machine</source>
        <translation>打开已录制的机器</translation>
    </message>
    <message>
        <source>Open the output of a tool</source>
        <translation>打开工具输出</translation>
    </message>
    <message>
        <source>Open the output of nvidia-smi or another tool…</source>
        <translation>打开 nvidia-smi 等工具的输出…</translation>
    </message>
</context>
<context>
    <name>ObstaclesBlock</name>
    <message>
        <source>Open Compatibility</source>
        <translation>打开兼容性</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message>
        <source>Copy summary</source>
        <translation>复制摘要</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Python environments</source>
        <translation>Python 环境</translation>
    </message>
    <message>
        <source>The machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Updated {time}</source>
        <translation>更新于 {time}</translation>
    </message>
    <message>
        <source>What stands in the way</source>
        <translation>问题出在哪里</translation>
    </message>
    <message>
        <source>What was looked at</source>
        <translation>检查了什么</translation>
    </message>
</context>
<context>
    <name>SearchBlock</name>
    <message>
        <source>It could not be asked.</source>
        <translation>无法询问。</translation>
    </message>
    <message>
        <source>No card of this maker, so a missing driver is no fault.</source>
        <translation>没有该厂商的显卡，缺少驱动不是问题。</translation>
    </message>
    <message>
        <source>No graphics card for computing was seen.</source>
        <translation>没有看到可用于计算的显卡。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Scanned {time}</source>
        <translation>扫描于 {time}</translation>
    </message>
    <message>
        <source>The driver answers, but lists no card.</source>
        <translation>驱动有应答，但没有列出显卡。</translation>
    </message>
</context>
<context>
    <name>VerdictWords</name>
    <message>
        <source>A matrix product, a convolution and an XLA step really ran on the GPU.</source>
        <translation>矩阵乘法、卷积和 XLA 计算都已在 GPU 上实际跑通。</translation>
    </message>
    <message>
        <source>A question to the GPU driver has been open for {age}. Readings are the last ones known. The window and your training go on.</source>
        <translation>对 GPU 驱动的一次询问已等待 {age}。当前显示的是最后一次读数；窗口和训练不受影响。</translation>
    </message>
    <message>
        <source>A test must decide</source>
        <translation>需要实测才能确定</translation>
    </message>
    <message>
        <source>Asking the driver what is there. The first answer may take some seconds.</source>
        <translation>正在询问驱动，首次应答可能需要几秒。</translation>
    </message>
    <message>
        <source>Checking TensorFlow…</source>
        <translation>正在检查 TensorFlow…</translation>
    </message>
    <message>
        <source>Driver, CUDA libraries, Python and the card fit each other.</source>
        <translation>驱动、CUDA 运行库、Python 与显卡相互匹配。</translation>
    </message>
    <message>
        <source>First remedy: {fix}</source>
        <translation>首选办法：{fix}</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看本机…</translation>
    </message>
    <message>
        <source>No GPU that TensorFlow can use</source>
        <translation>没有 TensorFlow 可用的 GPU</translation>
    </message>
    <message>
        <source>Not proven yet</source>
        <translation>尚未验证</translation>
    </message>
    <message>
        <source>Not proven: only a run on that machine can</source>
        <translation>未验证：只有在那台机器上运行才能验证</translation>
    </message>
    <message>
        <source>Not ready for TensorFlow</source>
        <translation>TensorFlow 未就绪</translation>
    </message>
    <message>
        <source>Opening the recorded machine…</source>
        <translation>正在打开已录制的机器…</translation>
    </message>
    <message>
        <source>Ready for TensorFlow</source>
        <translation>TensorFlow 已就绪</translation>
    </message>
    <message>
        <source>Ready, with a note</source>
        <translation>已就绪，但请留意</translation>
    </message>
    <message>
        <source>Should be ready for TensorFlow</source>
        <translation>TensorFlow 应可就绪</translation>
    </message>
    <message>
        <source>TensorFlow is not installed</source>
        <translation>未安装 TensorFlow</translation>
    </message>
    <message>
        <source>TensorFlow will use the processor only</source>
        <translation>TensorFlow 只会使用处理器</translation>
    </message>
    <message>
        <source>TensorFlow {version} is installed</source>
        <translation>已安装 TensorFlow {version}</translation>
    </message>
    <message>
        <source>The driver does not answer</source>
        <translation>驱动没有应答</translation>
    </message>
    <message>
        <source>The driver is asked apart from the window, so nothing blocks.</source>
        <translation>询问驱动与窗口分开进行，因此不会卡住。</translation>
    </message>
    <message>
        <source>Training runs on the processor here. No graphics card for computing was found.</source>
        <translation>训练将在处理器上进行。没有找到可用于计算的显卡。</translation>
    </message>
    <message>
        <source>Versions of driver, libraries and Python packages are laid side by side.</source>
        <translation>正在核对驱动、运行库和 Python 软件包的版本。</translation>
    </message>
    <message>
        <source>processor has {flags}</source>
        <translation>处理器支持 {flags}</translation>
    </message>
</context>
</TS>
